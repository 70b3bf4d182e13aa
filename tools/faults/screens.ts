import type { Fault } from './fault.ts'

/** Mistakes that show in a browser. */
export const screenFaults: Fault[] = [
  {
    name: 'stale-after-redeem',
    kind: 'missing invalidation after a redemption',
    file: 'portal/src/coupon/coupons.ts',
    find: `invalidateQueries({ queryKey: ['member', memberCode] })`,
    replace: `invalidateQueries({ queryKey: ['coupons', memberCode] })`,
    tests: ['e2e/journeys/coupon/coupons.e2e.ts'],
  },
  {
    name: 'text-key',
    kind: 'wrong key of a text',
    file: 'portal/src/coupon/RedeemSheet.tsx',
    find: `id: 'rdm.ok'`,
    replace: `id: 'rdm.q'`,
    tests: ['e2e/journeys/coupon/redeem.e2e.ts'],
  },
  {
    name: 'value-call-retried',
    kind: 'automatic retry of a call that moves value',
    file: 'portal/src/kit/call/call.ts',
    find: 'return fetch(address, request)',
    replace: 'return fetch(address, request).catch(() => fetch(address, request))',
    tests: ['e2e/journeys/coupon/redeem-failures.e2e.ts'],
  },
  {
    name: 'offline-button',
    kind: 'button that works without a network',
    file: 'portal/src/kit/action/ActionButtons.tsx',
    find: 'disabled={!online && !sending}',
    replace: 'disabled={sending}',
    tests: ['e2e/journeys/coupon/redeem-failures.e2e.ts'],
  },
  {
    name: 'focus-ring',
    kind: 'hidden focus ring',
    file: 'portal/src/ui/style/tokens.css',
    find: `  :focus-visible {
    outline: 2px solid var(--focus);
    outline-offset: 2px;`,
    replace: `  :focus-visible {
    outline: none;`,
    tests: ['e2e/journeys/home/keyboard.e2e.ts'],
  },
  {
    name: 'focus-lost',
    kind: 'focus is not returned',
    file: 'portal/src/ui/layer/Sheet.tsx',
    find: 'initialFocus={heading}',
    replace: 'initialFocus={heading} finalFocus={false}',
    tests: ['e2e/journeys/coupon/redeem.e2e.ts'],
  },
  {
    name: 'nameless-button',
    kind: 'missing aria-label',
    file: 'portal/src/ui/page/IconButton.tsx',
    find: 'aria-label={label}',
    replace: 'title=""',
    tests: ['e2e/journeys/screens/refusals.e2e.ts'],
  },
  {
    name: 'login-overflow',
    kind: 'layout wider than a phone of 360 px',
    file: 'portal/src/staff/LoginPage.tsx',
    find: 'className="grid grid-cols-1 gap-5"',
    replace: 'className="grid min-w-[400px] grid-cols-1 gap-5"',
    tests: ['e2e/journeys/screens/sweep.e2e.ts'],
  },
  {
    name: 'cover-late',
    kind: 'privacy cover comes too late',
    file: 'portal/src/watch/PrivacyCover.tsx',
    find: 'coverAfterMs = 90_000',
    replace: 'coverAfterMs = 900_000',
    tests: ['e2e/journeys/shell/privacy.e2e.ts'],
  },
  {
    name: 'upgrade-keys',
    kind: 'upgrade clears the wrong keys',
    file: 'portal/src/watch/UpgradeBanner.tsx',
    find: `new Set(['tillside:manual'])`,
    replace: `new Set(['tillside:manuals'])`,
    tests: ['e2e/journeys/shell/upgrade.e2e.ts'],
  },
  {
    name: 'language-cookie',
    kind: 'choice of language is forgotten at a reload',
    file: 'portal/src/kit/text/language.ts',
    find: 'path=${path}; max-age',
    replace: 'path=${path}/index; max-age',
    tests: ['e2e/journeys/company/language.e2e.ts'],
  },
  {
    name: 'session-after-logout',
    kind: 'session stays on the device after the logout',
    file: 'portal/src/kit/call/session.ts',
    find: 'deviceStorage.removeItem(storageKey)',
    replace: 'deviceStorage.getItem(storageKey)',
    tests: ['e2e/journeys/staff/login.e2e.ts'],
  },
]
