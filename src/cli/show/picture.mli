(** Plots as SVG inside a page, coloured by the page's style sheet: shapes of the class [s0], [s1],
    ... have the colours of the page's series. Coordinates are pixels. *)

type shape
(** The type for parts of a picture. *)

type t
(** The type for pictures. *)

(** {1 Axes} *)

val across : float -> float
(** [across part] is where a part of the horizontal axis ends; [part] is between 0 and 1. *)

val up : float -> float
(** [up part] is the same for the vertical axis. *)

val horizontal : float -> string -> shape list
(** [horizontal part label] is a line of the grid. *)

val below : float -> string -> shape
(** [below part label] is a label of the horizontal axis. *)

val name_of_axis : string -> shape
(** [name_of_axis name] says what the horizontal axis shows. *)

val ticks : float -> float list
(** [ticks highest] is three to seven round numbers from 0 up; the last is at least [highest]. *)

(** {1 Shapes} *)

val line : cls:string -> float * float -> float * float -> shape
(** [line ~cls p q] is a line of that class. *)

val polyline : cls:string -> (float * float) list -> shape
(** [polyline ~cls points] joins the points. *)

val area : cls:string -> (float * float) list -> shape
(** [area ~cls points] is what the lines from each point to the next enclose, in a pale colour. *)

val dot : ?radius:float -> cls:string -> float * float -> shape
(** [dot ~cls p] is a small disc. *)

val box : cls:string -> float * float -> wide:float -> high:float -> shape
(** [box ~cls p ~wide ~high] is a rectangle; [p] is its upper left corner. *)

val label : ?cls:string -> anchor:[ `Start | `Middle | `End ] -> float * float -> string -> shape
(** [label ~anchor p words] is a line of text. The class ["soft"], which is the default, is paler
    than ["fg"]. *)

val bar : cls:string -> float * float -> wide:float -> shape
(** [bar ~cls p ~wide] is a bar from the horizontal axis up to [p], its upper left corner. *)

(** {1 Pictures} *)

val make : ?width:float -> ?height:float -> about:string -> shape list -> t
(** [make ~about shapes] is the picture; [about] is for those who do not see it. Its size is that of
    the axes by default. *)

val to_html : t -> [> Html_types.svg ] Tyxml.Html.elt
(** [to_html t] is [t] as an element of a page. *)

val to_svg : t -> style:string -> string
(** [to_svg t ~style] is [t] as a file of its own, with that style sheet. *)
