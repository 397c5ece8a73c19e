-- Rounds: those opened in the period, and whole again those of an earlier one whose result or
-- void became known in it (decree 10/2019, annex, data file VII).
-- Source: RoundOpened, RoundResulted, RoundVoided, RulesPublished, TableLimitsSet, TableOpened: a
-- table that is opened again begins without limits.
WITH
    (
        amount -> concat(
            toString(intDiv(amount, 100)), ',', leftPad(toString(amount % 100), 2, '0'), ' CZK'
        )
    ) AS crowns,
    known AS
    (
        SELECT
            round,
            argMinIf(text, position, NOT is_void) AS result,
            argMinIf(text, position, is_void) AS ground,
            minIf(position, NOT is_void) AS resulted,
            minIf(position, is_void) AS voided
        FROM
        (
            SELECT round, position, wording AS text, false AS is_void
            FROM RoundResulted
            WHERE position >= {first:Int64} AND position < {size:Int64}
            UNION ALL
            SELECT round, position, ground, true
            FROM RoundVoided
            WHERE position >= {first:Int64} AND position < {size:Int64}
        )
        GROUP BY round
    ),
    completed AS
    (
        SELECT round FROM RoundResulted WHERE position >= {first:Int64} AND position < {end:Int64}
        UNION DISTINCT
        SELECT round FROM RoundVoided WHERE position >= {first:Int64} AND position < {end:Int64}
    ),
    opened AS
    (
        SELECT round, position, recorded_at, table, game, plan_version
        FROM RoundOpened
        WHERE streamed AND position >= {oldest:Int64} AND position < {end:Int64}
            AND (position >= {first:Int64} OR round IN (SELECT round FROM completed))
    ),
    limits AS
    (
        SELECT
            opened.round AS round,
            argMaxIf(
                (limit.least, limit.greatest, limit.round_maximum, limit.position),
                (limit.effective_from, limit.position),
                limit.effective_from <= opened.recorded_at AND limit.position < opened.position
                    AND (limit.lifted = 0 OR limit.lifted > opened.position)
            ) AS last
        FROM opened
        INNER JOIN
        (
            SELECT
                fixed.table AS table,
                fixed.position AS position,
                effective_from,
                round_maximum,
                arrayMin(arrayFilter(one -> one > 0, minimums)) AS least,
                if(has(maximums, 0), 0, arrayMax(maximums)) AS greatest,
                anew.position AS lifted
            FROM TableLimitsSet AS fixed
            ASOF LEFT JOIN TableOpened AS anew
                ON fixed.table = anew.table AND fixed.position < anew.position
            WHERE fixed.position < {end:Int64}
        ) AS limit ON opened.table = limit.table
        GROUP BY opened.round
    ),
    rules AS
    (
        SELECT
            game,
            plan_version,
            argMax(
                if(
                    {claim_text:String} = 'full',
                    document,
                    concat(
                        'herní plán ', rules, ', verze ', plan_version, ', SHA-256 ',
                        document_digest
                    )
                ),
                position
            ) AS claim,
            max(position) AS last_position
        FROM RulesPublished
        WHERE position < {end:Int64}
        GROUP BY game, plan_version
    )
SELECT
    opened.round AS IDJednaHra,
    opened.game AS IDHraPopis,
    opened.recorded_at AS HraZahajeniCas,
    nullIf(
        arrayStringConcat(
            arrayFilter(
                part -> part != '',
                [
                    if(limits.last.1 > 0, concat('sázka nejméně ', crowns(limits.last.1)), ''),
                    if(limits.last.2 > 0, concat('sázka nejvýše ', crowns(limits.last.2)), ''),
                    if(
                        limits.last.3 > 0,
                        concat('účastník v kole nejvýše ', crowns(limits.last.3)),
                        ''
                    )
                ]
            ),
            ', '
        ),
        ''
    ) AS HraOmezeniVkladu,
    NULL AS ZpusobZvysovaniSazek,
    if(limits.last.1 > 0, concat('nejméně ', crowns(limits.last.1)), NULL) AS PovinnyVkladVyse,
    NULL AS JistinaUrceni,
    if(rules.last_position > 0, rules.claim, NULL) AS NarokVyhra,
    if(
        known.voided > 0,
        concat('kolo neplatné: ', known.ground),
        nullIf(known.result, '')
    ) AS HraVysledek,
    '0' AS ZahranicniUcast,
    opened.position AS position,
    arrayFilter(
        at -> at > 0,
        [opened.position, known.resulted, known.voided, limits.last.4, rules.last_position]
    ) AS positions
FROM opened
LEFT JOIN known ON opened.round = known.round
LEFT JOIN limits ON opened.round = limits.round
LEFT JOIN rules ON opened.game = rules.game AND opened.plan_version = rules.plan_version
