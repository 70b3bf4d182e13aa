import { expect, test } from 'vitest'
import { emptyScene } from '../kit/store/scene.ts'
import { readMessage } from './message.ts'

const own = {
  company: 'aurora',
  staff: 'amy',
  display: '5a0c1a36-5c1a-4e0a-9d55-0f6f0a6d3c11',
}
const show = {
  ...own,
  type: 'show',
  scene: { ...emptyScene, name: 'Ada', points: 120 },
  config: null,
}

test('a message for this display is read', () => {
  expect(readMessage(show, own)).toEqual(show)
  expect(readMessage({ ...own, type: 'ask' }, own)).toEqual({ ...own, type: 'ask' })
})

const other = '5a0c1a36-5c1a-4e0a-9d55-0f6f0a6d3c12'
const forged: [string, unknown][] = [
  ['a text', 'show'],
  ['null', null],
  ['another company', { ...show, company: 'lotus' }],
  ['another clerk', { ...show, staff: 'ben' }],
  ['another display', { ...show, display: other }],
  ['an unknown type', { ...show, type: 'html' }],
  ['no scene', { ...own, type: 'show' }],
  ['a field too many', { ...show, html: '<b>' }],
  ['a field too many in the scene', { ...show, scene: { ...show.scene, mobile: '2015550123' } }],
  ['a name that is a list', { ...show, scene: { ...show.scene, name: ['Ada'] } }],
  ['points that are a text', { ...show, scene: { ...show.scene, points: '120' } }],
  ['a name of 501 characters', { ...show, scene: { ...show.scene, name: 'a'.repeat(501) } }],
]

test.each(forged)('%s is ignored', (_, message) => {
  expect(readMessage(message, own)).toBe(null)
})
