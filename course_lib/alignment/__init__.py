"""Word alignment without a network: IBM Model 1, and the error rate that judges any aligner."""
