"""Chapter 3: word links, judged against gold links."""
