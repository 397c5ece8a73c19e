"""SQL functions that the gateway allows: pure functions that read only their arguments.

Excluded on purpose: functions that read files, settings, dictionaries or other tables, that reveal
the machine, that wait, and that amplify small inputs (``range``, ``repeat``).
"""

from __future__ import annotations

__all__ = ["FUNCTIONS"]

_NAMES = """
abs accurateCast accurateCastOrNull addDays addHours addMinutes addMonths addSeconds addWeeks
and any anyIf anyLast argMax argMaxIf argMin argMinIf array arrayAll arrayAvg arrayConcat
arrayCount arrayDistinct arrayElement arrayEnumerate arrayExists arrayFilter arrayFirst
arrayJoin arrayMap arrayMax arrayMin arrayReverse arrayReverseSort arraySlice arraySort
arrayStringConcat arraySum arrayZip assumeNotNull avg avgIf base64Decode base64Encode between
bitAnd bitOr bitShiftLeft bitShiftRight bitXor caseWithExpression CAST ceil cityHash64 coalesce
concat concatWithSeparator corr count countDistinct countIf date_diff dateDiff dense_rank divide
empty endsWith equals exists exp extract first_value floor format formatDateTime
fromUnixTimestamp fromUnixTimestamp64Micro fromUnixTimestamp64Milli globalIn globalNotIn greater
greaterOrEquals greatest groupArray groupArrayIf groupArraySorted groupBitXor groupUniqArray
groupUniqArrayIf has hasAll hasAny hex if ifNull ilike in indexOf intDiv intDivOrZero isNotNull
isNull JSONExtractArrayRaw JSONExtractBool JSONExtractFloat JSONExtractInt JSONExtractKeys
JSONExtractRaw JSONExtractString JSONExtractUInt JSONHas JSONLength JSONType lag lagInFrame
lambda last_value lead leadInFrame least left leftPad length lengthUTF8 less lessOrEquals like
locate log log10 log2 lower lowerUTF8 map mapKeys mapValues match max maxIf MD5 median
medianExact min minIf minus modulo multiIf multiply negate not notEmpty notEquals notILike notIn
notLike ntile nullIf or percent_rank plus position positionCaseInsensitive pow power quantile
quantileExact quantiles rank replaceAll replaceOne replaceRegexpAll replaceRegexpOne reverse
right rightPad round row_number SHA256 sign sipHash64 splitByChar splitByString sqrt startsWith
stddevPop stddevSamp substring substringUTF8 subtractDays subtractHours subtractMinutes
subtractMonths subtractSeconds subtractWeeks sum sumIf sumMap toBool toDate toDate32 toDateTime
toDateTime64 toDayOfMonth toDayOfWeek toDayOfYear toDecimal128 toDecimal32 toDecimal64 toFloat32
toFloat64 toFloat64OrNull toHour toInt16 toInt32 toInt64 toInt64OrNull toInt64OrZero toInt8
toIntervalDay toIntervalHour toIntervalMinute toIntervalMonth toIntervalSecond toIntervalWeek
toIntervalYear toISOWeek toMinute toMonday toMonth toNullable topK toQuarter toSecond
toStartOfDay toStartOfHour toStartOfInterval toStartOfMinute toStartOfMonth toStartOfQuarter
toStartOfWeek toStartOfYear toString toTimeZone toTypeName toUInt16 toUInt32 toUInt64 toUInt8
toUnixTimestamp toUnixTimestamp64Micro toUnixTimestamp64Milli toYear toYYYYMM toYYYYMMDD
trimBoth trimLeft trimRight trunc tuple tupleElement unhex uniq uniqExact uniqExactIf uniqIf
upper upperUTF8 varPop varSamp xor
"""

FUNCTIONS = frozenset(_NAMES.split())
"""Names as the engine's tree has them."""
