"""What people may send to score runs, and to release what there is to see."""
