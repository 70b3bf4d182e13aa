import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { currentLanguage, setCurrentLanguage } from '../text/language.ts'
import { ownData, queryClient } from './query.ts'

afterEach(() => {
  queryClient.clear()
  setCurrentLanguage('en-US')
})

const tier = {
  queryKey: ['tier'],
  queryFn: async () => {
    const asked = currentLanguage()
    await Promise.resolve()
    return asked
  },
}

test('an answer that no screen shows is dropped when the language changes', async () => {
  await queryClient.prefetchQuery(tier)
  setCurrentLanguage('zh-CN')
  expect(queryClient.getQueryData(tier.queryKey)).toBeUndefined()
})

test('so is one that is under way, though it arrives later', async () => {
  const arriving = queryClient.prefetchQuery(tier)
  setCurrentLanguage('zh-CN')
  await arriving
  expect(queryClient.getQueryData(tier.queryKey)).toBeUndefined()
  await expect(queryClient.fetchQuery(tier)).resolves.toBe('zh-CN')
})

test('an answer on the screen stays until the new one arrives', async () => {
  const shown: unknown[] = []
  const observer = new QueryObserver(queryClient, tier)
  const stop = observer.subscribe(({ data }) => shown.push(data))
  await expect.poll(() => shown.at(-1)).toBe('en-US')
  setCurrentLanguage('zh-CN')
  await expect.poll(() => shown.at(-1)).toBe('zh-CN')
  stop()
  expect(shown.filter((data) => data === undefined)).toHaveLength(shown.indexOf('en-US'))
})

test('what only this window knows stays', () => {
  queryClient.setQueryDefaults(['trace'], { meta: ownData })
  queryClient.setQueryData(['trace'], 'redeemed')
  setCurrentLanguage('zh-CN')
  expect(queryClient.getQueryData(['trace'])).toBe('redeemed')
})
