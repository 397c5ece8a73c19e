"""The regulator's remote-access packages: decree 10/2019 Sb., model V, kind Z."""
