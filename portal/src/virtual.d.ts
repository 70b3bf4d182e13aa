declare module 'virtual:manual/*' {
  /** Each page's text by its file's name. */
  export const pages: Record<string, string>
  /** Each picture's address by its file's name. */
  export const pictures: Record<string, string>
}

declare module 'virtual:built-assets' {
  import type { Manifest } from 'vite'
  export const manifest: Manifest
  /** The browser build's style sheet. */
  export const styles: string
  /** Another one as soon as one of the program's files is. */
  export const version: string
}

declare module 'virtual:ahead-script' {
  /** The script in the page's head (`portal/src/ahead/script.ts`). */
  export const script: string
}
