export type SkeletonProps = {
  /** The size of the content as CSS lengths, so that nothing moves when it is loaded. */
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

/** A placeholder for loading content; invisible for the first 0.3 s. */
export function Skeleton({ width = '100%', height = '1rem', radius = 'tag' }: SkeletonProps) {
  return (
    <div
      aria-hidden="true"
      className={`skeleton max-w-full ${radii[radius]}`}
      style={{ width, height }}
    />
  )
}

/** The placeholder for the fields of a form while they load. */
export function FormSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-1 gap-4 medium:grid-cols-2">
        <Skeleton height="4.875rem" />
        <Skeleton height="4.875rem" />
      </div>
      <Skeleton height="5rem" />
      <Skeleton height="4.875rem" />
    </div>
  )
}
