import { isVisible } from '@tillside/contract/wire/shapes'

/** Describes why a new account's names are not allowed; null: they are. */
export function namesProblem(account: string, names: readonly string[]): string | null {
  if (!/^[\w.@-]{1,64}$/.test(account)) {
    return 'an account name has 1 to 64 letters, digits and . _ @ -'
  }
  return names.every(isVisible) ? null : 'a name has a control or invisible character'
}
