"""Chapter 6c: which words, in which sentence? Found in the mini-world, tried on film reviews."""
