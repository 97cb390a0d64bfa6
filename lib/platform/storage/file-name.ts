export type FileName = {
  readonly key: string;
  readonly contentType: string;
  readonly downloadName: string;
};
