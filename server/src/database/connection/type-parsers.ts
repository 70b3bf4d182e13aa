import * as pg from 'pg'

/** How the program reads values of the database. */
export const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number) // points and counts stay within 2^53
types.setTypeParser(pg.types.builtins.DATE, String) // a calendar day has no time zone
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString())
