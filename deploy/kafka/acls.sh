#!/bin/sh
# Gives the users of one licence the rights they need on the brokers, and no more. Each broker has
#   authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
# and lets in by TLS and SCRAM, or by certificate. Adding a right twice changes nothing.
#
#   PATH=/opt/kafka/bin:$PATH deploy/kafka/acls.sh BOOTSTRAP ADMIN.properties TOPIC [COMMANDS]
#
# ADMIN.properties: how a user of `super.users` connects. TOPIC: the log of the licence. COMMANDS: the
# topic of commands, if there is one. A second licence on the same brokers has users of its own:
# PREFIX=second- makes them second-writer, second-projector and so on.
set -eu
bootstrap=$1 admin=$2 topic=$3 commands=${4:-}

allow() {
  user=${PREFIX:-}$1
  shift
  kafka-acls.sh --bootstrap-server "$bootstrap" --command-config "$admin" --add \
    --allow-principal "User:$user" "$@"
}

# Writers and their standbys, and every command that writes without `--writers`.
allow writer --operation Read --operation Write --operation DescribeConfigs --topic "$topic"
allow writer --operation Write --transactional-id "gameledger-$topic-0"
allow writer --operation Read --group "gameledger-$topic-writer"

# `gameledger project`, and whatever else only reads: serve, watch, log verify, log copy.
allow projector --operation Read --operation DescribeConfigs --topic "$topic"

# `gameledger tiles`, on a machine that a web server shares.
allow mirror --operation Read --operation DescribeConfigs --topic "$topic"

# Makes the topic and corrects its settings; reads no message.
allow operator --operation Create --operation Describe --operation AlterConfigs --topic "$topic"

[ -n "$commands" ] || exit 0

# The platform that sends commands and reads its answers.
allow commands --operation Write --topic "$commands"
allow commands --operation Read --topic "$commands.receipts"
allow commands --operation Read --group "${PREFIX:-}commands"

# The writer that decides and answers them.
allow writer --operation Read --operation DescribeConfigs --topic "$commands"
allow writer --operation Write --operation DescribeConfigs \
  --topic "$commands.receipts" --topic "$commands.dead-letters"
allow writer --operation Read --group "gameledger-$commands"
allow writer --operation Write --transactional-id "gameledger-$commands-0"

# Makes the three topics, and reads what could not be decided.
allow operator --operation Create --operation Describe --operation AlterConfigs \
  --topic "$commands" --topic "$commands.receipts"
allow operator --operation Create --operation Read --operation AlterConfigs \
  --topic "$commands.dead-letters"
