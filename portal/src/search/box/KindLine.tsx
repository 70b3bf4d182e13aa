import { useLingui } from '@lingui/react/macro'
import { type Found } from '../find.ts'
import { type Candidates, kindOf, type Kind } from '../text/parse.ts'
import { useSearchTexts } from '../useSearchTexts.ts'
import type { Searching } from './useSearching.ts'

/** The kind of the field's text, as an answer: "Mobile · +1". It keeps its place while empty. */
export function KindLine({ field: { parsed, errorCode, text }, peek, name, mayName }: Searching) {
  const { t } = useLingui()
  const { kinds } = useSearchTexts()
  const shown = shownKind(parsed, peek?.found ?? null)
  return (
    <output className={errorCode === null ? 'block min-h-6 text-small text-ink2' : 'sr-only'}>
      {name !== null ? (
        <span className="font-medium">{t({ id: 'search.name', message: 'Name' })}</span>
      ) : shown === null ? (
        mayName && text === '' && t({ id: 'search.nameHint', message: 'A name works too.' })
      ) : (
        <>
          <span className="font-medium">{kinds[shown.kind]}</span>
          {shown.codes === '' ? null : <span className="num"> · {shown.codes}</span>}
        </>
      )}
    </output>
  )
}

type Shown = { kind: Kind; codes: string }

/** The kind by which the member was found, else the likeliest one. */
function shownKind(
  parsed: { kind: Kind; clear: boolean; candidates: Candidates } | null,
  found: Found | null,
): Shown | null {
  if (found !== null) return { kind: found.kind, codes: codesOf([found.by]) }
  if (parsed === null || !parsed.clear) return null
  const { kind, candidates } = parsed
  return { kind, codes: codesOf(candidates.filter((one) => kindOf(one) === kind)) }
}

/** The calling codes of mobile numbers, each once. */
function codesOf(candidates: readonly object[]): string {
  const codes = candidates.flatMap((one) =>
    'countryCode' in one && typeof one.countryCode === 'string' ? [`+${one.countryCode}`] : [],
  )
  return [...new Set(codes)].join(' / ')
}
