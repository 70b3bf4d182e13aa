import { Skeleton } from '../../ui/page/Skeleton.tsx'
import { Waiting } from '../../kit/page/Waiting.tsx'
import { isNotFound } from '../find.ts'
import { NameMatches } from './NameMatches.tsx'
import { PeekCard } from './PeekCard.tsx'
import { RegisterThis, SearchResult } from './SearchResult.tsx'
import type { Searching } from './useSearching.ts'

/** The answer to the field's text, and the members with such a name. */
export function SearchAnswer({ searching }: { searching: Searching }) {
  const { name, online, busy, field } = searching
  return (
    <>
      <Answer searching={searching} />
      {name !== null && online && !busy ? <NameMatches name={name} onOpen={field.clear} /> : null}
    </>
  )
}

/** The member of a complete number; or that a search is running, or why it opened no member. */
function Answer({ searching }: { searching: Searching }) {
  const { search, peek, field, asked, find } = searching
  if (search.isPending) {
    const { variables: candidates } = search
    return (
      <Waiting
        skeleton={<Skeleton height="4rem" radius="card" />}
        onAgain={() => void search.stop().then(() => find(candidates, asked))}
      />
    )
  }
  if (search.isError) {
    const { error, variables: candidates } = search
    return (
      <SearchResult
        {...{ error, candidates }}
        typed={asked}
        onAgain={() => find(candidates, asked)}
        onWiden={field.narrow === null ? null : () => void searching.widen()}
      />
    )
  }
  return (
    <output className="block">
      {peek?.found ? (
        <PeekCard found={peek.found} onOpen={() => find(peek.candidates, field.text)} />
      ) : peek !== null && isNotFound(peek.error) ? (
        <RegisterThis candidates={peek.candidates} />
      ) : null}
    </output>
  )
}
