import { Visitor } from 'oxc-parser'
import { type Problem, type Project, problemAt, type SourceFile } from './project.ts'

const CONSOLE = 'packages/console/src/'

/** Pages whose texts are still in their elements. Take one out when its texts have moved; add none. */
const NOT_MOVED = [
  'pages/developer/editor/',
  'pages/developer/FirstAppPage.tsx',
  'pages/glasses/FrameTree.tsx',
].map((path) => CONSOLE + path)

/** Properties of elements that people see or hear. */
const VISIBLE_PROPERTIES = ['label', 'title', 'description', 'placeholder', 'aria-label', 'alt']

/** Texts with words; numbers, signs and codes need no translation. */
const WORDS = /\p{Letter}{2,}/u

const MESSAGE = 'Move this text to the texts file of the page (*.texts.ts or texts.ts).'

/** Finds texts in the elements of the console: they belong into one place per page. */
export function checkTexts(project: Project): Problem[] {
  return project.sources
    .filter(({ path }) => path.startsWith(CONSOLE) && path.endsWith('.tsx'))
    .filter(({ path }) => !NOT_MOVED.some((start) => path.startsWith(start)))
    .flatMap(textsIn)
}

function textsIn({ path, text, parsed }: SourceFile): Problem[] {
  const problems: Problem[] = []
  const report = (start: number) => problems.push(problemAt(path, text, start, MESSAGE))
  new Visitor({
    JSXText: ({ value, start }) => {
      if (WORDS.test(value)) report(start + value.search(/\S/))
    },
    JSXAttribute: ({ name, value }) => {
      const isVisible = name.type === 'JSXIdentifier' && VISIBLE_PROPERTIES.includes(name.name)
      const literal = value?.type === 'JSXExpressionContainer' ? value.expression : value
      if (isVisible && literal?.type === 'Literal' && WORDS.test(String(literal.value))) report(literal.start)
    },
  }).visit(parsed.program)
  return problems
}
