"""The experiments of chapter 7: attend, compare, aggregate, beside a bag of vectors and an LSTM."""
