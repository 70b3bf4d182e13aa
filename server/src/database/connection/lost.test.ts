import * as pg from 'pg'
import { expect, test } from 'vitest'
import { isUnavailable } from '../database.ts'
import { isRefusal } from './lost.ts'

const context = 'while executing command on 10.0.0.2:5432'

function errorOf(code: string, message: string, where?: string, severity = 'ERROR') {
  const error = new pg.DatabaseError(message, message.length, 'error')
  return Object.assign(error, { code, where, severity })
}

// The errors of Citus are those of a worker that was killed under load.
test.each([
  ['a lock timeout', errorOf('55P03', 'canceling statement due to lock timeout'), true, true],
  ['a unique key', errorOf('23505', 'duplicate key value'), false, true],
  ['a shutdown', errorOf('57P01', 'terminating connection', undefined, 'FATAL'), true, false],
  ['a node lost', errorOf('08006', 'connection to the remote node failed'), true, false],
  ['a node that ends', errorOf('57P02', 'terminating connection', context), true, false],
  ['a node lost at the commit', errorOf('XX000', 'SSL error: unexpected', context), true, false],
  [
    'a shard lost at the commit',
    errorOf('XX000', 'could not commit transaction for shard 7'),
    true,
    false,
  ],
  [
    'a node not prepared',
    errorOf('XX000', 'failure on connection marked as essential: n'),
    true,
    false,
  ],
  ['a coordinator killed', errorOf('XX000', 'postmaster was shut down, exiting'), true, false],
  ['a node lost without a message', errorOf('XX000', '', context), true, false],
  ['a defect of a node', errorOf('XX000', 'cache lookup failed', context), false, true],
  ['a defect of PostgreSQL', errorOf('XX000', 'SSL error: unexpected'), false, true],
])('after %s a retry can succeed or not, and nothing has changed or not', (...row) => {
  const [, error, canSucceed, isUnchanged] = row
  expect([isUnavailable(error), isRefusal(error)]).toEqual([canSucceed, isUnchanged])
})
