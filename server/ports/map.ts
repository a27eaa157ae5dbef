/** A source of map tiles that the server can draw itself, as SVG documents of 256 pixels. */
export type MapSource = { drawTile(z: number, x: number, y: number): string; attribution: string }
