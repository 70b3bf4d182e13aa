import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faults } from './faults/list.ts'
import { isLong } from './faults/suite.ts'

const root = join(import.meta.dirname, '..')

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
