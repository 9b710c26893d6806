let attention_in (w : Worker.t) (_ : Context.t) = w.attention
