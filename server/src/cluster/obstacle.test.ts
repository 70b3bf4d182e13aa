import * as pg from 'pg'
import { expect, test } from 'vitest'
import { obstacleOf } from './obstacle.ts'

function errorOf(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError('as PostgreSQL says it', 0, 'error')
  error.code = code
  return error
}

test.each([
  ['53100', 'a disk is full'],
  ['42501', 'lacks a right on a node'],
  ['57P01', 'a node went away'],
  ['08006', 'a node went away'],
  ['28P01', 'refuses the password'],
])('an error %s says what to do', (code, words) => {
  const found = obstacleOf(errorOf(code))
  expect(String(found)).toContain(words)
  expect(String(found)).toContain('Nothing has changed: as PostgreSQL says it')
})

test('any other error stays as it is', () => {
  const other = errorOf('22012')
  expect(obstacleOf(other)).toBe(other)
})
