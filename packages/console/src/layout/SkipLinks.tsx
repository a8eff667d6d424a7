import { SkipLink } from '../components/SkipLink.tsx'

/** Links to the parts of the frame, before everything else. */
export function SkipLinks() {
  return (
    <>
      <SkipLink target="content">Skip to content</SkipLink>
      <SkipLink target="navigation">Skip to navigation</SkipLink>
    </>
  )
}
