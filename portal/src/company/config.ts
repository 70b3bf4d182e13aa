import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { getOtherConfig, type OtherConfig } from '@tillside/contract/company'
import { call } from '../kit/call/call.ts'

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => call(getOtherConfig, {}, { signal, quiet: true }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Asks for what the company has set beyond its theme, once. */
export function useConfigQuery(): UseQueryResult<OtherConfig> {
  return useQuery(configQuery)
}

/** What the company has set beyond its theme; undefined until it is known. */
export function useConfig(): OtherConfig | undefined {
  return useConfigQuery().data
}
