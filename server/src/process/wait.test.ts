import { afterEach, expect, test, vi } from 'vitest'
import { sayIfSlow, withoutWaits } from './wait.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const lasting = (ms: number) => new Promise((done) => setTimeout(done, ms))

test('work of over two seconds has a line on stderr, which withoutWaits removes', async () => {
  vi.useFakeTimers()
  let stderr = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text)
    return true
  })
  const quick = sayIfSlow('the first', lasting(1_900))
  const late = sayIfSlow('the second', lasting(2_100))
  await vi.runAllTimersAsync()
  await Promise.all([quick, late])
  expect(stderr).toBe('Waiting for the second …\n')
  expect(withoutWaits(`one\n${stderr}two\n`)).toBe('one\ntwo\n')
})
