-- view = "bet_findings"
-- reads = []
--
-- [RAISE_OF_NO_BET]
-- name.en = "Raise of no bet"
-- name.cs = "Navýšení sázky, která není"
-- text.en = "The raised bet {detail} is no concluded bet of the account and round."
-- text.cs = "Navýšená sázka {detail} není uzavřenou sázkou tohoto konta a kola."

WITH
    raises AS
    (
        SELECT position, account, round, bet, parent, stake
        FROM BetPlaced
        WHERE position < {size:Int64} AND parent != ''
            AND (account, round, bet) IN
            (
                SELECT account, round, bet
                FROM BetConcluded
                WHERE position < {size:Int64}
                    AND bet IN (SELECT bet FROM BetPlaced WHERE parent != '')
            )
    )
SELECT
    position, account, round, bet, stake AS amount, parent AS detail,
    CAST([] AS Array(String)) AS parts
FROM raises
WHERE (account, round, parent) NOT IN
(
    SELECT account, round, bet
    FROM BetConcluded
    WHERE position < {size:Int64} AND bet IN (SELECT parent FROM raises)
);
