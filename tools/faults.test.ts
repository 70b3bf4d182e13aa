import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadModule } from 'libpg-query'
import { beforeAll, expect, test } from 'vitest'
import type { Fault } from './faults/fault.ts'
import { faults } from './faults/list.ts'
import { isLong } from './faults/suite.ts'
import { type Inner, statementsOfFunctions } from './placement/functions.ts'
import { files, read } from './tidy/files.ts'

const root = join(import.meta.dirname, '..')

let functions: Inner[]
beforeAll(async () => {
  await loadModule()
  functions = statementsOfFunctions()
})

test('each fault has a name of its own', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length)
  expect(faults.length).toBeGreaterThan(35)
})

test('the short suite catches all but five', () => {
  expect(faults.filter(({ tests }) => tests.every(isLong)).length).toBeLessThanOrEqual(5)
})

test.each(faults.map((fault) => [fault.name, fault] as const))(
  '%s: its code occurs once, outside of comments, and its tests exist',
  (_name, fault) => {
    const [before = '', ...after] = readFileSync(join(root, fault.file), 'utf8').split(fault.find)
    expect(after).toHaveLength(1)
    expect(before.split('\n').at(-1)).not.toMatch(/^\s*(\/\/|\*|--|#)/)
    expect(fault.replace).not.toBe(fault.find)
    expect(fault.tests.length).toBeGreaterThan(0)
    expect(fault.tests.filter((file) => !existsSync(join(root, file)))).toEqual([])
  },
)

const statement =
  /^(?:create(?: or replace)?|alter|drop|call|insert|update|delete|do) (\w+) (\w+)/gm

/** The function or procedure of the database that a fault changes. */
function routineOf({ file, find }: Fault): { routine: string; isFunction: boolean } | null {
  if (!file.startsWith('server/migrations/')) return null
  const [before = ''] = read(file).split(find)
  const [, kind = '', routine = ''] = [...before.matchAll(statement)].at(-1) ?? []
  const isFunction = kind === 'function'
  return isFunction || kind === 'procedure' ? { routine, isFunction } : null
}
const inRoutines = faults.flatMap((fault) => {
  const changed = routineOf(fault)
  return changed === null ? [] : [{ ...fault, ...changed }]
})

test('faults in functions of the database are recognized', () => {
  expect(inRoutines.length).toBeGreaterThan(25)
})

test.each(inRoutines)('$name: no later migration replaces $routine', ({ routine, file }) => {
  const made = new RegExp(
    `^(create (or replace )?|drop )(function|procedure) .*\\b${routine}\\b`,
    'm',
  )
  const makers = files.filter((one) => one.startsWith('server/migrations/') && made.test(read(one)))
  expect(makers.toSorted().at(-1)).toBe(file)
})

// Migrations call the procedures.
const inFunctions = inRoutines.filter(({ isFunction }) => isFunction)

test.each(inFunctions)('$name: the program calls $routine', ({ routine }) => {
  const called = new RegExp(`\\b${routine}\\b`)
  const callers = files.filter(
    (one) => /^server\/src\/.*(?<!\.test)\.ts$/.test(one) && called.test(read(one)),
  )
  const inner = functions.filter((one) => one.name !== routine && called.test(one.text))
  expect([...callers, ...inner]).not.toEqual([])
})
