import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { getDictionary } from '@tillside/contract/company'
import type { Data } from '@tillside/contract/wire/endpoint'
import { call } from '../kit/call/call.ts'
import { useLanguage } from '../kit/text/language.ts'
import type { AddressTyped } from './values.ts'

/** How one part of an address is entered. */
export type Place =
  | { kind: 'list'; options: readonly { value: string; label: string }[] }
  /** There is no list of this level. */
  | { kind: 'text' }
  | { kind: 'none' }
  | { kind: 'loading' }
  | { kind: 'failed'; error: Error; onAgain: () => void }

type Level = 'country' | 'province' | 'city' | 'district'
type Dictionary = Data<typeof getDictionary>
type Asked = UseQueryResult<Dictionary>

const none: Place = { kind: 'none' }
const text: Place = { kind: 'text' }

/** The lists for what has been chosen so far; text fields where the server has no list. */
export function usePlaces({ country, province, city }: AddressTyped): Record<Level, Place> {
  const language = useLanguage()
  const countries = useQuery({
    queryKey: ['dictionary', 'country', language],
    queryFn: ({ signal }) => call(getDictionary, { types: ['country'] }, { signal, quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const inCountry = useRegions(country)
  const top = inCountry.data?.region?.[0]?.level ?? null
  const inProvince = useRegions(top === 'province' ? province : '')
  const inCity = useRegions(top === null ? '' : city)
  const places = {
    country: placeOf(countries, countries.data?.country),
    province: none,
    city: none,
    district: none,
  }
  if (country === '') return places
  if (inCountry.data === undefined) return { ...places, province: placeOf(inCountry, []) }
  if (top === null) return { ...places, province: text, city: text, district: text }
  const below = city === '' ? none : placeOf(inCity, inCity.data?.region)
  if (top !== 'province') {
    return { ...places, city: placeOf(inCountry, inCountry.data.region), district: below }
  }
  return {
    ...places,
    province: placeOf(inCountry, inCountry.data.region),
    city: province === '' ? none : placeOf(inProvince, inProvince.data?.region),
    district: below,
  }
}

/** The regions directly below a country or region. */
function useRegions(parent: string): Asked {
  const language = useLanguage()
  return useQuery({
    queryKey: ['dictionary', 'region', parent, language],
    queryFn: ({ signal }) =>
      call(getDictionary, { types: ['region'], parent }, { signal, quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: /^[A-Z0-9]{1,12}$/.test(parent),
  })
}

function placeOf(query: Asked, names: Dictionary['country']): Place {
  if (query.isError)
    return { kind: 'failed', error: query.error, onAgain: () => void query.refetch() }
  if (query.data === undefined) return { kind: 'loading' }
  if (names === undefined || names.length === 0) return none
  return {
    kind: 'list',
    options: names.map(({ code, name }) => ({ value: String(code), label: name })),
  }
}
