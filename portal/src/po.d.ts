declare module '*.po' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}

/** The texts that are needed before login. */
declare module '*.po?first' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}
