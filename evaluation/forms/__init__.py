"""What people may send to score runs, and to release things."""
