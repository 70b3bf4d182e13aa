import type { Fault } from './fault.ts'

/** Mistakes with strangers: their places, their login attempts, their guesses. */
export const doorFaults: Fault[] = [
  {
    name: 'stranger-place',
    kind: 'place that is not released',
    file: 'server/src/http/places/places.ts',
    find: `    all -= 1
    const left`,
    replace: '    const left',
    tests: ['server/src/http/places/overload.test.ts'],
  },
  {
    name: 'proven-place',
    kind: 'place that a dismissed call keeps',
    file: 'server/src/http/places/places.ts',
    find: `        leave(network)
        return null`,
    replace: '        return null',
    tests: ['server/src/http/places/overload.test.ts'],
  },
  {
    name: 'stranger-network',
    kind: 'count of a network that only grows',
    file: 'server/src/http/places/places.ts',
    find: `const left = (perNetwork.get(network) ?? 1) - 1`,
    replace: `const left = perNetwork.get(network) ?? 1`,
    tests: ['server/src/http/places/overload.test.ts'],
  },
  {
    name: 'account-before-address',
    kind: 'refused address that uses up the attempts of an account',
    file: 'server/src/staff/throttle/attempts.ts',
    find: `  const refused = await takeFromAddress(database, 'password', address)
  if (refused !== null) {`,
    replace: `  const refused = await takeFromAddress(database, 'password', address)
  if (refused !== null) {
    await database.transaction(companyId, (tx) =>
      takeFromAccount(tx, companyId, account, address))`,
    tests: ['server/src/staff/throttle/attempts.test.ts'],
  },
  {
    name: 'device-of-another',
    kind: 'device cookie that is accepted for another account',
    file: 'server/src/staff/throttle/device.ts',
    find: 'company_id = $1 and staff_id = $2 and device_hash = $3',
    replace: 'company_id = $1 and $2::uuid is not null and device_hash = $3',
    tests: ['server/src/staff/throttle/attempts.test.ts'],
  },
  {
    name: 'network-of-ipv6',
    kind: 'limit that an attacker’s own addresses avoid',
    file: 'server/src/values/network.ts',
    find: `    .slice(0, 4)
    .map((group) => group.toString(16))`,
    replace: `    .slice(0, 8)
    .map((group) => group.toString(16))`,
    tests: ['server/src/values/network.test.ts'],
  },
  {
    name: 'name-guesses',
    kind: 'missing limit',
    file: 'server/src/http/places/guesses.ts',
    find: 'if (!exists) tried.left -= 1',
    replace: '',
    tests: ['server/src/http/places/guesses.test.ts'],
  },
  {
    name: 'password-folding',
    kind: 'common password in full-width letters',
    file: 'server/src/staff/passwords/problem.ts',
    find: `return text.normalize('NFKC').toLowerCase()`,
    replace: 'return text.toLowerCase()',
    tests: ['server/src/staff/passwords/problem.test.ts'],
  },
  {
    name: 'older-link',
    kind: 'link that outlives its successor',
    file: 'server/src/staff/link.ts',
    find: 'await removeLinks(tx, companyId, holder.staff_id)',
    replace: '',
    tests: ['server/src/staff/link.test.ts'],
  },
]
