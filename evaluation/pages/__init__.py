"""What pages show of scores: rows, pictures and sentences, without requests."""
