import { describe, expect, test } from 'vitest'
import { maxPerThousand, proseFiles, rates } from '../prose.ts'
import { files, read } from './files.ts'

describe('plain English', () => {
  test.each(Object.entries(proseFiles()))('%s', (_group, inside) => {
    const above = Object.entries(rates(inside)).filter(([, rate]) => rate > maxPerThousand)
    expect(above).toEqual([])
  })
  test('no text refers to a page that is not in the repository', () => {
    const pages = /\b(?:ux|engine|architecture|contract)\.md\b|\b(?:contract|engine|design) page\b/
    const texts = files.filter((file) => /\.(?:ts|tsx|mjs|md|css|yaml|yml|conf)$/.test(file))
    const checked = texts.filter((file) => file !== 'tools/tidy/prose.ts')
    expect(checked.filter((file) => pages.test(read(file)))).toEqual([])
  })
})
