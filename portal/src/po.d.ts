declare module '*.po' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}

/** The part that is read before login. */
declare module '*.po?first' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}
