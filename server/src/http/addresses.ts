/** What the server answers where, so that a wrong method is told from a wrong address. */
export type Addresses = {
  add(route: { method: string | string[]; url: string }): void
  /** The methods that the address of this path takes; none where there is no such address. */
  methodsOf(path: string): string[]
}

export function addresses(): Addresses {
  const known: { pattern: RegExp; methods: string[]; isPage: boolean }[] = []
  return {
    add({ method, url }) {
      // Browsers may ask anywhere whether another origin is answered; that makes no address.
      if (url === '*') return
      known.push({ pattern: patternOf(url), methods: [method].flat(), isPage: url === '/*' })
    },
    methodsOf(path) {
      const here = known.filter(
        ({ pattern, isPage }) => pattern.test(path) && (!isPage || mayBePage(path)),
      )
      return [...new Set(here.flatMap(({ methods }) => methods))].sort()
    },
  }
}

/**
 * Whether the portal may have a page there: addresses of the API and of files are answered by
 * themselves or not at all.
 */
export function mayBePage(path: string): boolean {
  return !isReserved(path) && !path.includes('.')
}

/** Whether nothing but the API or a file can be there. */
export function isReserved(path: string): boolean {
  return /^\/(web|assets|integration)(\/|$)/.test(path)
}

/** `/members/:code` and `/assets/*`, as the web framework writes them. */
function patternOf(url: string): RegExp {
  const literal = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  const open = literal.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')
  return new RegExp(`^${open}$`)
}
