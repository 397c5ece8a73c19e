"""Events and commands: their types, bytes and schemas."""
