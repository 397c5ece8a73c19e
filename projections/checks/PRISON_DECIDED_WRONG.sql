-- needs = ["BetImprisoned"]
-- view = "bet_findings"
-- reads = ["PrisonDecided", "RoundResulted"]
--
-- [PRISON_DECIDED_WRONG]
-- name.en = "Chip in prison decided wrongly"
-- name.cs = "Nesprávné rozhodnutí o žetonu ve vězení"
-- text.en = """\
--   Another number than that of the next spin decided about the chip in prison: \
--   {detail:phrase}."""
-- text.cs = """\
--   O žetonu ve vězení rozhodlo jiné číslo, než jaké padlo při příštím roztočení: {detail}."""
-- phrase = "COUNT_AGAINST"

SELECT
    decided_position AS position, account, round, bet, chip AS amount,
    concat(toString(decided_by), ' against ', toString(number)) AS detail,
    [toString(decided_by), toString(number)] AS parts
FROM prison_spins
WHERE decided_position > 0 AND decided_by != number;
