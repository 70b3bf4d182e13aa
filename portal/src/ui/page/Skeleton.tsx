export type SkeletonProps = {
  /** CSS lengths of what will stand here, so that nothing jumps. */
  width?: string | undefined
  height?: string | undefined
  radius?: 'tag' | 'button' | 'ticket' | 'card' | undefined
}

const radii = {
  tag: 'rounded-tag',
  button: 'rounded-button',
  ticket: 'rounded-ticket',
  card: 'rounded-card',
}

/** The shape of what is loading; unseen for its first 0.3 s. */
export function Skeleton({ width = '100%', height = '1rem', radius = 'tag' }: SkeletonProps) {
  return (
    <div
      aria-hidden="true"
      className={`skeleton max-w-full ${radii[radius]}`}
      style={{ width, height }}
    />
  )
}
