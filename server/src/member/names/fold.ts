import type { Named } from '@tillside/contract/rules/person'

/**
 * The texts by whose beginning a member is found: family name, given name, both in either order,
 * and the pinyin initials of a Chinese name. All are folded.
 */
export type NameFolding = {
  /** A name without case, width, accents, spaces and punctuation, in simplified characters. */
  fold: (name: string) => string
  keysOf: (named: Named) => string[]
}

let loaded: Promise<NameFolding> | null = null

/** Loads the dictionaries on first use: companies without the search never need them. */
export function loadNameFolding(): Promise<NameFolding> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<NameFolding> {
  const [simplified, { pinyin }] = await Promise.all([loadSimplified(), import('pinyin-pro')])
  const fold = (name: string): string =>
    Array.from(name.normalize('NFKC').toLowerCase(), simplified)
      .join('')
      .normalize('NFD')
      .replaceAll(/[^\p{L}\p{N}]/gu, '')
      .normalize('NFC')
  const initials = (name: string, surname: 'head' | 'off'): string =>
    /\p{Script=Han}/u.test(name)
      ? pinyin(name, { pattern: 'first', toneType: 'none', type: 'array', surname })
          .join('')
          .toLowerCase()
      : ''
  return {
    fold,
    keysOf({ firstName, lastName }) {
      const [first, last] = [fold(firstName), fold(lastName)]
      const keys = [
        first,
        last,
        last + first,
        first + last,
        initials(last + first, last === '' ? 'off' : 'head'),
        initials(first, 'off'),
      ]
      // A query has two characters at least.
      return [...new Set(keys)].filter((key) => Array.from(key).length > 1)
    },
  }
}

/**
 * OpenCC's conversion to simplified characters, of single characters only: with phrases the
 * beginning of a name could be converted otherwise than the whole name, and would not be found.
 */
async function loadSimplified(): Promise<(character: string) => string> {
  const [{ ConverterFactory }, { configs }] = await Promise.all([
    import('opencc-js/core'),
    import('opencc-js/preset/t2cn'),
  ])
  const converterOf = (config: string) => {
    const chain = configs?.[config]?.conversionChain ?? []
    const groups = chain.map((group) =>
      group.map(singleEntries).filter((one: Dictionary) => one.length > 0),
    )
    return ConverterFactory(...groups.filter((group) => group.length > 0))
  }
  const [hongKong, taiwan] = [converterOf('hk2s'), converterOf('tw2s')]
  return (character) => hongKong(taiwan(character))
}

type Dictionary = string | readonly (readonly [string, string])[]

/** The entries of a dictionary of OpenCC that convert one character. */
function singleEntries(dictionary: Dictionary): Dictionary {
  if (typeof dictionary !== 'string') return dictionary.filter(([from]) => isSingle(from))
  return dictionary
    .split('|')
    .filter((entry) => isSingle(entry.split(' ', 1)[0] ?? ''))
    .join('|')
}

function isSingle(text: string): boolean {
  return Array.from(text).length === 1
}
