// A page function that cannot do its work throws a PageError; the caller gets {"error":{"kind","message"}}.

export class PageError extends Error {
  constructor(readonly kind: string, message: string) {
    super(message);
  }
}
