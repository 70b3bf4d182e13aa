import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { getOtherConfig, type OtherConfig } from '@tillside/contract/company'
import { call } from '../kit/call/call.ts'
import { setShopZone } from '../kit/text/clock.ts'

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: async ({ signal }) => {
    const config = await call(getOtherConfig, {}, { signal, quiet: true })
    setShopZone(config.timeZone)
    return config
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** Loads the company's settings beyond its theme, once. */
export function useConfigQuery(): UseQueryResult<OtherConfig> {
  return useQuery(configQuery)
}

/** The company's settings beyond its theme; undefined until they are loaded. */
export function useConfig(): OtherConfig | undefined {
  return useConfigQuery().data
}
