import { expect, test } from 'vitest'
import { identifierIn, lookUpIn, queryIn, safeRedirect } from './paths.ts'

test('the first segment names the company, except the portal’s own routes', () => {
  expect(identifierIn('/aurora/login')).toBe('aurora')
  expect(identifierIn('/Aurora')).toBe('aurora')
  for (const path of ['/', '/login', '/index', '/index/x', '/identifier-set', '/a_b', '/a%20b']) {
    expect(identifierIn(path)).toBeNull()
  }
})

test('after login, only a path of the same company is opened', () => {
  expect(safeRedirect('/aurora/member/home/view?code=A1', 'aurora')).toBe(
    '/member/home/view?code=A1',
  )
  const refused = [
    '/lotus/index',
    '/aurora/../lotus/index',
    '//evil.example/aurora',
    '/\\evil.example/aurora',
    'https://evil.example/aurora/index',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)//aurora/',
    '/\t/evil.example/aurora',
    '/\n/evil.example/aurora',
    '\t//evil.example/aurora',
    '/%2F/evil.example/aurora',
    '%2Faurora%2Findex',
    '\\\\evil.example/aurora',
    '/aurora/%2e%2e/lotus/index',
    '/aurora/..%2flotus',
    '/aurora@evil.example/index',
    '/aurora/LOGIN/../login',
    '/aurora'.repeat(2000).replaceAll('/', '//'),
    '/aurora/login?redirectUrl=%2Faurora%2Flogin',
    '',
    null,
  ]
  for (const url of refused) expect(safeRedirect(url, 'aurora')).toBeNull()
})

test('a query names a member by exactly one look-up', () => {
  expect(lookUpIn({ code: 'A1' })).toEqual({ code: 'A1' })
  expect(lookUpIn({ mobile: '51234567', countryCode: '852' })).toEqual({
    mobile: '51234567',
    countryCode: '852',
  })
  expect(lookUpIn({ mobile: '51234567' })).toBeNull()
  expect(lookUpIn({ code: 'A1', email: 'a@b.c' })).toBeNull()
  expect(lookUpIn({})).toBeNull()
  expect(lookUpIn(queryIn('?code=A1&code=A2'))).toBeNull()
  expect(lookUpIn(queryIn('?code=A1&code=A1'))).toBeNull()
  expect(lookUpIn(queryIn('?code=A1&countryCode=1'))).toBeNull()
  expect(lookUpIn(queryIn('?mobile=51234567&countryCode=852&countryCode=86'))).toBeNull()
  expect(lookUpIn(queryIn('?code=A1&email='))).toEqual({ code: 'A1' })
})
