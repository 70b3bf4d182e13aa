import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { read, source } from './files.ts'

describe('size and shape', () => {
  test('no source file is longer than 300 lines', () => {
    expect(source.filter((file) => read(file).split('\n').length > 301)).toEqual([])
  })
  test('no line is wider than 100 columns', () => {
    const wide = source.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((text, n) => (text.length > 100 ? [`${file}:${n + 1}`] : [])),
    )
    expect(wide).toEqual([])
  })
  test('a folder has at most 14 source files; tests are not counted', () => {
    const folders = Map.groupBy(
      source.filter((file) => !file.includes('.test.')),
      dirname,
    )
    const full = [...folders].filter(([, inside]) => inside.length > 14)
    expect(full.map(([folder, inside]) => `${folder}: ${inside.length}`)).toEqual([])
  })
  test('no file is deeper than workspace/src/feature/room/file', () => {
    expect(source.filter((file) => file.split('/').length > 5)).toEqual([])
  })
  test('no file has a name such as utils or helpers', () => {
    const empty = /(^|\/)(utils?|helpers?|common|services?|types|index)(\/|\.tsx?$)/
    expect(source.filter((file) => empty.test(file))).toEqual([])
  })
})
