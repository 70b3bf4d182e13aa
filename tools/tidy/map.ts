import { expect, test } from 'vitest'
import { drawMap } from '../map.ts'
import { read } from './files.ts'

test('docs/house.svg shows the imports as they are (npm run map)', () => {
  expect(read('docs/house.svg')).toBe(drawMap())
})
