import { expect, it } from 'vitest'
import { environmentOf } from './environment.ts'

it.each([
  ['localhost', 'local'],
  ['shop.localhost', 'local'],
  ['qa.localhost', 'qa'],
  ['127.0.0.1', 'local'],
  ['10.1.2.3', 'local'],
  ['172.16.0.1', 'local'],
  ['172.32.0.1', 'production'],
  ['192.168.1.20', 'local'],
  ['[::1]', 'local'],
  ['[fd12::1]', 'local'],
  ['[2001:db8::1]', 'production'],
  ['8.8.8.8', 'production'],
  ['qa.shop.example', 'qa'],
  ['portal-qa.shop.example', 'qa'],
  ['QA2.shop.example', 'qa'],
  ['uat-portal.shop.example', 'uat'],
  ['portal.uat.shop.example', 'uat'],
  ['shop.example', 'production'],
  ['aqua.example', 'production'],
  ['squat.example', 'production'],
  ['', 'production'],
])('%s is %s', (host, environment) => {
  expect(environmentOf(host)).toBe(environment)
})
