import { useLingui } from '@lingui/react/macro'
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useQuery,
} from '@tanstack/react-query'
import { getDictionary } from '@tillside/contract/company'
import { explainPoints, listGifts, pointHistory } from '@tillside/contract/points'
import { call } from '../kit/call/call.ts'
import { useLanguage } from '../kit/text/language.ts'

const rowsAtOnce = 50

/** The member's point entries, newest first, page by page. */
export const historyQuery = (memberCode: string) =>
  infiniteQueryOptions({
    queryKey: ['member', memberCode, 'points', 'history'],
    queryFn: ({ pageParam, signal }) =>
      call(
        pointHistory,
        { memberCode, pageSize: rowsAtOnce, ...(pageParam === '' ? {} : { cursor: pageParam }) },
        { signal, quiet: true },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** The lots of the balance in the order in which they are used, and the company's rules. */
export const explainQuery = (memberCode: string) =>
  queryOptions({
    queryKey: ['member', memberCode, 'points', 'explain'],
    queryFn: ({ signal }) => call(explainPoints, { memberCode }, { signal, quiet: true }),
  })

/** The rewards, with this member's limits. */
export const giftsQuery = (memberCode: string) =>
  queryOptions({
    queryKey: ['member', memberCode, 'points', 'gifts'],
    queryFn: ({ signal }) => call(listGifts, { memberCode }, { signal, quiet: true }),
  })

/** Reloads everything that depends on a member's points. */
export function invalidatePoints(queries: QueryClient, memberCode: string): void {
  void queries.invalidateQueries({ queryKey: ['member', memberCode] })
}

/** The company's name for a type of entry; an unknown type is shown by its code. */
export function useTypeName(): (type: number) => string {
  const { t } = useLingui()
  const language = useLanguage()
  const { data } = useQuery({
    queryKey: ['dictionary', 'pointType', language],
    queryFn: ({ signal }) => call(getDictionary, { types: ['pointType'] }, { signal, quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (data === undefined) return () => ''
  const names = new Map(data.pointType?.map(({ code, name }) => [code, name]))
  return (code) =>
    names.get(code) ?? t({ id: 'pt.unknownType', message: `Points adjustment (${code})` })
}
