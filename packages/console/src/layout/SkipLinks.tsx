import { SkipLink } from '../components/SkipLink.tsx'
import { layoutTexts } from './texts.ts'

/** Links to the parts of the frame, before everything else. */
export function SkipLinks() {
  return (
    <>
      <SkipLink target="content">{layoutTexts.skipToContent}</SkipLink>
      <SkipLink target="navigation">{layoutTexts.skipToNavigation}</SkipLink>
    </>
  )
}
