import type { Fault } from './fault.ts'

/** Mistakes with permissions, sessions, private data and the limits of one clerk. */
export const accessFaults: Fault[] = [
  {
    name: 'open-endpoint',
    kind: 'endpoint without its permission',
    file: 'contract/src/tier.ts',
    find: `path: '/connector/tier/list',
  access: ['homeMembertier'],`,
    replace: `path: '/connector/tier/list',
  access: 'staff',`,
    tests: ['server/src/tier/list.test.ts'],
  },
  {
    name: 'wall-not-forced',
    kind: 'row-level security not forced',
    file: 'server/migrations/0001_company.sql',
    find: `execute format('alter table %I force row level security', table_name);`,
    replace: '',
    tests: ['server/src/database/wall.test.ts'],
  },
  {
    name: 'unmasked-email',
    kind: 'unmasked personal data',
    file: 'server/src/member/member.ts',
    find: 'masked ? row.email && maskedEmail(row.email) : row.email',
    replace: 'row.email',
    tests: ['server/src/member/update.test.ts'],
  },
  {
    name: 'login-throttle',
    kind: 'login throttle switched off',
    file: 'server/src/staff/throttle/account.ts',
    find: 'if (last !== null) return secondsUntilGone(new Date(last.at), now)',
    replace: '',
    tests: ['server/src/staff/login.test.ts'],
  },
  {
    name: 'password-sessions',
    kind: 'session survives a change of the password',
    file: 'server/src/staff/change-password.ts',
    find: 'await endAccess(tx, company.id, staff.id)',
    replace: '',
    tests: ['server/src/staff/change-password.test.ts'],
  },
  {
    name: 'link-used-twice',
    kind: 'access link works twice',
    file: 'server/src/staff/link.ts',
    find: ' and used_at is null',
    replace: '',
    tests: ['server/src/staff/link.test.ts'],
  },
  {
    name: 'code-tries',
    kind: 'one guess too many',
    file: 'server/src/verification/validate.ts',
    find: 'tries < ${maxAttempts}',
    replace: 'tries <= ${maxAttempts}',
    tests: ['server/src/verification/validate.test.ts'],
  },
  {
    name: 'frame-policy',
    kind: 'security header missing',
    file: 'server/src/portal.ts',
    find: `    "frame-ancestors 'none'",\n`,
    replace: '',
    tests: ['server/src/http/security-headers.test.ts'],
  },
  {
    name: 'log-address',
    kind: 'log line with personal data',
    file: 'server/src/http/server.ts',
    find: `route: request.routeOptions.url ?? null`,
    replace: 'route: request.url',
    tests: ['server/src/staff/link.test.ts'],
  },
  {
    name: 'look-up-audit',
    kind: 'dropped audit row of a read',
    file: 'server/src/member/look-up.ts',
    find: `  context.changed({ action: 'member.lookUp',`,
    replace: `  if (row !== null) context.changed({ action: 'member.lookUp',`,
    tests: ['server/src/member/look-up-audit.test.ts'],
  },
  {
    name: 'audit-at-the-end',
    kind: 'rows that a stopping server forgets',
    file: 'server/src/database/audit.ts',
    find: `      await writing
      await write()
`,
    replace: `      await writing
`,
    tests: ['server/src/member/look-up-audit.test.ts'],
  },
  {
    name: 'given-per-process',
    kind: 'limit that each process counts alone',
    file: 'server/src/allowance/given.ts',
    find: 'const { used } = await tx.one(take, values)',
    replace: `const name = values.slice(0, 4).join(' ')
    const sum = (globalThis[name] ?? 0) + amount
    const used = sum > limit ? null : (globalThis[name] = sum)`,
    tests: ['server/src/allowance/given.test.ts', 'server/src/allowance/given.slow.test.ts'],
  },
  {
    name: 'remembered-holder',
    kind: 'permission of an earlier request',
    file: 'server/src/staff/held.ts',
    find: 'e.epoch = ${epoch} and',
    replace: '(e.epoch = ${epoch} or true) and',
    tests: ['server/src/staff/held.test.ts'],
  },
  {
    name: 'member-epoch',
    kind: 'stale cache',
    file: 'server/src/member/key.ts',
    find: '`${epoch} ${code}`',
    replace: '`${epoch.length} ${code}`',
    tests: ['server/src/dossier/remembered.test.ts'],
  },
  {
    name: 'facts-in-lists',
    kind: 'fact that is shown without its permission',
    file: 'server/src/text/withhold.ts',
    find: 'value.map((item) => ofItem(item, permissions))',
    replace: 'value',
    tests: ['server/src/http/facts.test.ts'],
  },
  {
    name: 'unmarked-fact',
    kind: 'fact that is shown without its permission',
    file: 'contract/src/member.ts',
    find: `couponCounts: fact('coupons', z.record(z.enum(couponStatuses), z.int())),`,
    replace: 'couponCounts: z.record(z.enum(couponStatuses), z.int()),',
    tests: ['server/src/http/facts.test.ts'],
  },
  {
    name: 'facts-of-a-replay',
    kind: 'stored answer with facts of yesterday’s permission',
    file: 'server/src/http/serve.ts',
    find: 'return answeredAgain(endpoint, stored, language, caller.permissions)',
    replace: 'return stored',
    tests: ['server/src/http/facts.test.ts'],
  },
  {
    name: 'mask-by-default',
    kind: 'default that shows personal data',
    file: 'server/src/company/definition.ts',
    find: 'maskContacts: z._default(z.boolean(), true)',
    replace: 'maskContacts: z._default(z.boolean(), false)',
    tests: ['server/src/setup/folder.test.ts'],
  },
  {
    name: 'look-ups-per-process',
    kind: 'limit that each process counts alone',
    file: 'server/src/allowance/seen.ts',
    find: 'new Set([...seen.ids, ...own])',
    replace: 'new Set(own)',
    tests: ['server/src/allowance/look-up.test.ts'],
  },
  {
    name: 'given-yesterday',
    kind: 'count of a day that is carried over',
    file: 'server/migrations/0079_one_table_a_statement.sql',
    find: 'then g.used else 0 end\n      where',
    replace: 'then g.used else g.used end\n      where',
    tests: ['server/src/allowance/given.test.ts'],
  },
]

/** Mistakes with strangers: their places, their login attempts, their guesses. */
export const strangerFaults: Fault[] = [
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
