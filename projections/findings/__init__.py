"""What all checks share: their headers, findings and the identity of findings."""
