import { type Static, Type } from 'typebox'

/** What an app may put on a lens (`display_event.layout`), by `layoutType`. Text is sent unwrapped. */
export const layout = Type.Union([
  Type.Object({ layoutType: Type.Literal('text_wall'), text: Type.String() }),
  Type.Object({
    layoutType: Type.Literal('double_text_wall'),
    topText: Type.String(),
    bottomText: Type.String(),
  }),
  Type.Object({ layoutType: Type.Literal('reference_card'), title: Type.String(), text: Type.String() }),
  Type.Object({
    layoutType: Type.Literal('dashboard_card'),
    leftText: Type.String(),
    rightText: Type.String(),
  }),
  Type.Object({ layoutType: Type.Literal('bitmap_view'), data: Type.String({ description: 'Base64 BMP' }) }),
  Type.Object({
    layoutType: Type.Literal('bitmap_animation'),
    frames: Type.Array(Type.String({ description: 'Base64 BMP' }), { minItems: 1, maxItems: 64 }),
    interval: Type.Optional(Type.Number({ minimum: 0, description: 'Milliseconds between frames' })),
    repeat: Type.Optional(Type.Boolean()),
  }),
  Type.Object({ layoutType: Type.Literal('clear_view') }),
])
export type Layout = Static<typeof layout>

/** The two views a phone keeps; `dashboard` shows only while the head is up. */
export const view = Type.Union([Type.Literal('main'), Type.Literal('dashboard')])
export type View = Static<typeof view>

/** An empty lens, in the one layout every phone draws. */
export const BLANK_LAYOUT: Layout = { layoutType: 'text_wall', text: '' }
