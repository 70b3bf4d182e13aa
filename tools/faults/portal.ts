import type { Fault } from './fault.ts'

/** Mistakes in the portal's logic. */
export const portalFaults: Fault[] = [
  {
    name: 'fresh-key',
    kind: 'repeated request under a new idempotency key',
    file: 'portal/src/kit/action/action.ts',
    find: 'keys.kept() ?? keys.keep(newKey())',
    replace: 'keys.keep(newKey())',
    tests: ['portal/src/kit/action/action.test.ts'],
  },
  {
    name: 'double-send',
    kind: 'double tap sends twice',
    file: 'portal/src/kit/action/action.ts',
    find: `if (!dispatch({ type: 'send' })) return`,
    replace: `dispatch({ type: 'send' })`,
    tests: ['portal/src/kit/action/action.test.ts'],
  },
  {
    name: 'value-call-cancelled',
    kind: 'call that moves value is cancelled by its twin',
    file: 'portal/src/kit/call/call.ts',
    find: 'flight.movesValue ? null : [',
    replace: 'options.signal ? null : [',
    tests: ['portal/src/kit/call/call.test.ts'],
  },
  {
    name: 'history-plain',
    kind: 'search history kept in the clear',
    file: 'portal/src/search/history.ts',
    find: 'const own = { owner, day, iv:',
    replace: 'const own = { owner, day, kept, iv:',
    tests: ['portal/src/search/history.test.ts'],
  },
  {
    name: 'history-limit',
    kind: 'list without its limit',
    file: 'portal/src/search/history.ts',
    find: '.slice(0, maxEntries)',
    replace: '',
    tests: ['portal/src/search/history.test.ts'],
  },
  {
    name: 'login-redirect',
    kind: 'redirect to a place outside of the company',
    file: 'portal/src/paths.ts',
    find: ' || identifierIn(pathname) !== identifier',
    replace: '',
    tests: ['portal/src/paths.test.ts'],
  },
  {
    name: 'renew-notice',
    kind: 'wrong bound of a number of days',
    file: 'portal/src/tier/progress.ts',
    find: 'days <= renewNotice',
    replace: 'days < renewNotice',
    tests: ['portal/src/tier/progress.test.ts'],
  },
  {
    name: 'brand-contrast',
    kind: 'too little contrast',
    file: 'portal/src/company/theme.ts',
    find: 'const onWhite = contrast(white, hex) >= textRatio',
    replace: 'const onWhite = contrast(white, hex) >= 3',
    tests: ['portal/src/company/theme.test.ts'],
  },
]
