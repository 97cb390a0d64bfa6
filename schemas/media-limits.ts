// In a separate file without schemas, so that threads that read media load quickly.

/** In decimal units, like the networks' limits. */
export const maxImageBytes = 20_000_000;
export const maxVideoBytes = 1_000_000_000;

/** Phones take pictures of 200 megapixels. Larger ones overload programs that open them. */
export const maxImagePixels = 200_000_000;
export const maxImageSide = 30_000;

/**
 * Larger images are not converted, because their pixels would not fit into the memory of a
 * function.
 */
export const maxConvertedPixels = 40_000_000;

/** The decoders, as assets of the function that converts images. */
export const imageCodecs = {
  png: 'node_modules/@jsquash/png/codec/pkg/squoosh_png_bg.wasm',
  webp: 'node_modules/@jsquash/webp/codec/dec/webp_dec.wasm',
} as const;
