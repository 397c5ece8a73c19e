-- Parts of tournaments: one for each section, with what was paid, won and returned since the part
-- before was closed. What comes after the last close belongs to the last part once the tournament
-- is over, and until then to the part that is to come. A currency that the code list lacks can't be
-- reported.
-- Source: SectionOpened, SectionClosed, TournamentAnnounced, TournamentStarted, TournamentEnded,
-- TournamentCancelled, TournamentEntryPaid, TournamentEntryReturned, TournamentPrizePaid.
WITH
    (
        amount -> concat(
            toString(intDiv(amount, 100)), ',', leftPad(toString(amount % 100), 2, '0')
        )
    ) AS money,
    parts AS
    (
        SELECT
            opened.section AS section,
            opened.station AS tournament,
            opened.day AS day,
            opened.occurred_at AS began,
            closed.occurred_at AS ended,
            opened.position AS opened_position,
            closed.position AS closed_position
        FROM SectionOpened AS opened
        INNER JOIN
        (
            SELECT section, occurred_at, position
            FROM SectionClosed
            WHERE station_kind = 'tournament' AND place = {place:String}
                AND position < {size:Int64}
        ) AS closed ON opened.section = closed.section
    ),
    closes AS
    (
        SELECT
            tournament,
            arraySort(groupArray((closed_position, section))) AS closings
        FROM parts
        GROUP BY tournament
    ),
    facts AS
    (
        SELECT tournament, 'stake' AS what, amount, account, occurred_at, position AS at
        FROM TournamentEntryPaid
        WHERE position < {size:Int64}
        UNION ALL
        SELECT tournament, 'returned', amount, account, occurred_at, position
        FROM TournamentEntryReturned
        WHERE position < {size:Int64}
        UNION ALL
        SELECT tournament, 'prize', paid, account, occurred_at, position
        FROM TournamentPrizePaid
        WHERE position < {size:Int64}
        UNION ALL
        SELECT tournament, 'start', 0, '', occurred_at, position
        FROM TournamentStarted
        WHERE position < {size:Int64}
        UNION ALL
        SELECT tournament, 'end', fee, '', occurred_at, position
        FROM TournamentEnded
        WHERE position < {size:Int64}
        UNION ALL
        SELECT tournament, 'end', 0, '', occurred_at, position
        FROM TournamentCancelled
        WHERE position < {size:Int64}
    ),
    over AS
    (
        SELECT tournament
        FROM facts
        WHERE what = 'end' AND tournament NOT IN
        (
            SELECT station
            FROM SectionOpened
            WHERE station_kind = 'tournament' AND position < {size:Int64}
                AND section NOT IN (SELECT section FROM parts)
        )
    ),
    starts AS
    (
        SELECT tournament, min(at) AS start FROM facts WHERE what = 'start' GROUP BY tournament
    ),
    placed AS
    (
        SELECT
            if(
                arrayExists(one -> one.1 > facts.at, closes.closings),
                arrayFirst(one -> one.1 > facts.at, closes.closings).2,
                closes.closings[-1].2
            ) AS section,
            facts.what AS what,
            facts.amount AS amount,
            facts.account AS account,
            facts.occurred_at AS moment,
            facts.at AS at,
            starts.start = 0 OR facts.at < starts.start AS is_before
        FROM facts
        INNER JOIN closes ON facts.tournament = closes.tournament
        LEFT JOIN starts ON facts.tournament = starts.tournament
        WHERE facts.at < closes.closings[-1].1 OR facts.tournament IN (SELECT tournament FROM over)
    ),
    sums AS
    (
        SELECT
            section,
            sumIf(amount, what = 'stake') AS stakes,
            sumIf(amount, what = 'stake' AND is_before) AS stakes_before,
            sumIf(amount, what = 'end') AS fee,
            sumIf(amount, what = 'prize') AS prizes,
            sumIf(amount, what = 'returned') AS returned,
            uniqExactIf(account, what = 'stake') AS players,
            minOrNullIf(moment, what = 'start') AS started,
            maxOrNullIf(moment, what = 'end') AS finished,
            groupArray(at) AS behind
        FROM placed
        GROUP BY section
    )
SELECT
    parts.section AS IDJednaHraCastTurnaje,
    parts.section AS IDZaznamPSTB,
    parts.tournament AS IDPSTB,
    nullIf(announced.name, '') AS OznaceniTurnaj,
    coalesce(sums.started, parts.began) AS ZahajeniCas,
    coalesce(sums.finished, parts.ended) AS UkonceniCas,
    sums.stakes - if({tournament_fee:String} = 'apart', sums.fee, 0) AS UhrnSazkyVyse,
    sums.fee AS UhrnDoprovodnaPlneniVyse,
    sums.prizes AS UhrnVyhryVyse,
    NULL AS UhrnVracenaDoprovodnaPlneniVyse,
    sums.returned AS UhrnVraceneSazkyVyse,
    nullIf(announced.limit, '') AS HraOmezeniVkladu,
    concat(money(announced.buy_in), ' ', announced.currency) AS PovinnyVkladVyse,
    announced.currency AS MenaKod,
    toInt64(sums.players) AS TurnajPocetHracu,
    sums.stakes_before AS TurnajVkladyPredZahajenimVyse,
    parts.opened_position AS position,
    arrayConcat(
        [announced.position, parts.opened_position, parts.closed_position], sums.behind
    ) AS positions
FROM parts
INNER JOIN TournamentAnnounced AS announced ON parts.tournament = announced.tournament
LEFT JOIN sums ON parts.section = sums.section
WHERE parts.day >= {day_first:String} AND parts.day <= {day_last:String}
    AND has({currencies:Array(String)}, announced.currency)
